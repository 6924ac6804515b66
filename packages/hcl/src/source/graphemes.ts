// Columns are counted in grapheme clusters (UAX #29), as HCL and Terraform count them.

let cachedSegmenter: Intl.Segmenter | undefined;

/** Creates the segmenter on first use: creating it is slow, and most texts are ASCII. */
function segmenter(): Intl.Segmenter {
  cachedSegmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return cachedSegmenter;
}

// Printable ASCII and tab: every code unit is a separate cluster. CR and LF are excluded, since together they form one
// cluster.
const SIMPLE = /^[\t\x20-\x7e]*$/;

/** The number of grapheme clusters in a text. Linear; constant factor small for ASCII. */
export function countClusters(text: string): number {
  if (SIMPLE.test(text)) {
    return text.length;
  }
  let count = 0;
  for (const _ of segmenter().segment(text)) {
    count++;
  }
  return count;
}

/** The UTF-16 length of the first `count` grapheme clusters of a text. */
export function clustersPrefixLength(text: string, count: number): number {
  if (count <= 0) {
    return 0;
  }
  let emitted = 0;
  for (const { segment, index } of segmenter().segment(text)) {
    emitted++;
    if (emitted === count) {
      return index + segment.length;
    }
  }
  return text.length;
}
