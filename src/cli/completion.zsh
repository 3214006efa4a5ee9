#compdef overture
_overture() {
  local -a found
  found=(${(f)"$(overture completion words -- "${(@)words[2,CURRENT-1]}" 2>/dev/null)"})
  compadd -a found || _files
}
compdef _overture overture
