import { loadBcrypt } from './bcrypt.ts';
import { loadTextEncodings } from './encodings.ts';
import { loadRegularExpressions } from './regex.ts';
import { loadYaml } from './yaml.ts';

/** Loaders of large libraries, and the words whose occurrence in a source means that the library may be used. */
const LIBRARIES = [
  { load: loadRegularExpressions, words: ['regex', 'replace', 'template'] },
  { load: loadTextEncodings, words: ['codebase64', 'template'] },
  { load: loadYaml, words: ['yamldecode', 'template'] },
  { load: loadBcrypt, words: ['bcrypt', 'template'] },
] as const;

/**
 * Loads the libraries that expressions in these texts may need: most configurations need none, and loading them all
 * would take a considerable part of a short run. Texts that render templates need all of them. Without texts, all
 * libraries are loaded.
 */
export async function loadFunctionLibraries(
  files?: Iterable<{ readonly text: string }>,
): Promise<void> {
  const sources = files === undefined ? undefined : [...files].map(({ text }) => text);
  const needed = LIBRARIES.filter(
    ({ words }) =>
      sources === undefined ||
      sources.some((source) => words.some((word) => source.includes(word))),
  );
  await Promise.all(needed.map(({ load }) => load()));
}
