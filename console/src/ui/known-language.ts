/**
 * Chromium under the POSIX locale calls its language "en-US@posix", which Intl refuses. uPlot asks for it as soon as it is loaded, so that no
 * chart was ever drawn there: this has to be imported before it.
 */
try {
  Intl.getCanonicalLocales(navigator.language)
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' })
}
