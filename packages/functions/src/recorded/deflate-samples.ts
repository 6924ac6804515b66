/** Returns a text for compression tests: "words 70000" has 70000 bytes of recurring words. */
export function sampleText(name: string): Buffer {
  const [kind = '', size = ''] = name.split(' ');
  const length = Number(size);
  let state = 12_345;
  const next = (limit: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
  const byte = (index: number): number => {
    switch (kind) {
      case 'pair':
        return 97 + (index & 1);
      case 'letters':
        return 97 + next(4);
      case 'noise':
        return next(256);
      case 'squares':
        return ((index * index) >> 3) & 255;
      default:
        throw new Error(`no sample ${name}`);
    }
  };
  if (kind !== 'words') return Buffer.from(Array.from({ length }, (_, index) => byte(index)));
  const words = ['resource ', 'terraform_data ', '{\n  input = ', 'each.value', '\n}\n', 'local.'];
  let text = '';
  while (text.length < length) text += words[next(words.length)] + String(next(50));
  return Buffer.from(text.slice(0, length));
}
