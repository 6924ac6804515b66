/** Returns a text with a small random change, such as people make while they edit a configuration. */
export function changedText(text: string, next: (limit: number) => number): string {
  const lines = text.split('\n');
  const at = next(lines.length);
  const line = lines[at] ?? '';
  const words = text.match(/[A-Za-z_]\w*/g) ?? [];
  const word = (): string => words[next(words.length)] ?? 'x';
  switch (next(8)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(at, 0, line);
      break;
    case 2:
      // Another name in the place of one.
      lines[at] = line.replace(word(), () => word());
      break;
    case 3:
      lines[at] = line.replace(/\d+/, () => String(next(100)));
      break;
    case 4:
      lines[at] = line.replace(/"[^"$%]*"/, () => `"text-${next(10)}"`);
      break;
    case 5:
      lines.splice(at, 0, '  count = 2');
      break;
    case 6:
      lines.push(
        'locals {',
        `  added_${next(4)} = ${next(2) === 0 ? word() : `local.${word()}`}`,
        '}',
      );
      break;
    default:
      lines[at] = line.replace(
        /(var|local|data|module)\.(\w+)/,
        (_match, root: string) => `${root}.${word()}`,
      );
  }
  return lines.join('\n');
}
