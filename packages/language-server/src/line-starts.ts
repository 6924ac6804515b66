/** The line starts of the texts that were used last; many positions of one document are converted in succession. */
const recent: { readonly text: string; readonly starts: readonly number[] }[] = [];
const MAX_RECENT = 8;

/** Returns the offsets at which lines begin. */
export function lineStartsOf(text: string): readonly number[] {
  const existing = recent.find((entry) => entry.text === text);
  if (existing !== undefined) return existing.starts;
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  recent.unshift({ text, starts });
  if (recent.length > MAX_RECENT) recent.pop();
  return starts;
}
