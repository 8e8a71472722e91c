// uPlot creates a number format in the language of the browser when it is loaded. Chromium names the language `en-US@posix` if
// the locale of its process is C or POSIX, as on many kiosks. `Intl` refuses this name, and no chart could be drawn. The language
// is therefore set to `en-US`.
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-US' });
}
