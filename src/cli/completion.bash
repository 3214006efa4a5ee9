_overture() {
  local IFS=$'\n'
  COMPREPLY=($(compgen -W "$(overture completion words -- "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _overture overture
