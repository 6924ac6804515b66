/** The part of a text with one style. */
export interface StyledText {
  readonly text: string;
  /** class names, such as "bold red" */
  readonly style: string;
}

const COLORS: Readonly<Record<number, string>> = {
  31: 'red',
  32: 'green',
  33: 'yellow',
  34: 'blue',
  35: 'magenta',
  36: 'cyan',
  90: 'gray',
};

/** Splits a text with escape sequences for colors; other sequences are removed. */
export function styledText(text: string): readonly StyledText[] {
  const parts: StyledText[] = [];
  let [bold, underline, color] = [false, false, ''];
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
  for (const part of text.split(/(\u001b\[[\d;]*[A-Za-z])/)) {
    // oxlint-disable-next-line no-control-regex -- escape sequences begin with a control character
    const codes = /^\u001b\[([\d;]*)m$/.exec(part)?.[1];
    if (codes === undefined) {
      if (part === '' || part.startsWith('\u001b')) continue;
      const style = [bold ? 'bold' : '', underline ? 'underline' : '', color];
      parts.push({ text: part, style: style.filter(Boolean).join(' ') });
      continue;
    }
    for (const code of codes.split(';').map(Number)) {
      if (code === 0) [bold, underline, color] = [false, false, ''];
      else if (code === 1) bold = true;
      else if (code === 4) underline = true;
      else if (code === 22) bold = false;
      else if (code === 24) underline = false;
      else if (code === 39) color = '';
      else color = COLORS[code] ?? color;
    }
  }
  return parts;
}
