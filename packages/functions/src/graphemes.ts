let cachedSegmenter: Intl.Segmenter | undefined;

/** Created on first use: most texts are plain, and the creation takes a considerable part of a short run. */
function segmenter(): Intl.Segmenter {
  cachedSegmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return cachedSegmenter;
}
// Without a carriage return, each ASCII character is a separate cluster.
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
