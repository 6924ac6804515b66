/** The chunks of a state in one piece. */
export function joined(data: Iterable<Uint8Array>): Uint8Array {
  const chunks = [...data];
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}
