// Runs before the first paint, so that a dark screen never flashes white. Our policy allows no inline script.
;(() => {
  let chosen = null
  try {
    chosen = localStorage.getItem('overture.theme')
  } catch {
    // Storage may be forbidden; then the system decides.
  }
  const isDark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
  document.documentElement.classList.toggle('dark', isDark)
})()
