let made: Intl.Segmenter | undefined;

/** Made when first needed: most texts are plain, and making one takes a good part of a short run. */
function segmenter(): Intl.Segmenter {
  made ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return made;
}
// Without a carriage return, ASCII characters are clusters of their own.
const SIMPLE = /^[\x00-\x0c\x0e-\x7f]*$/;

/** Returns the grapheme clusters of a text: user-perceived characters. */
export function clustersOf(text: string): readonly string[] {
  if (SIMPLE.test(text)) return [...text];
  return Array.from(segmenter().segment(text), (segment) => segment.segment);
}

/** Returns the number of grapheme clusters of a text. */
export function clusterCount(text: string): number {
  if (SIMPLE.test(text)) return text.length;
  let count = 0;
  for (const _ of segmenter().segment(text)) count++;
  return count;
}
