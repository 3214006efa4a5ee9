/** Does it when the browser has shown what has changed until now. A page that is not looked at is not painted, so there it is done at once. */
export function afterPaint(act: () => void): void {
  if (document.hidden) act()
  else requestAnimationFrame(() => setTimeout(act))
}
