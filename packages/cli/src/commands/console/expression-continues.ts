const OPENING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
const HEREDOC = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)[ \t]*\r?\n/uy;

/**
 * Returns true if the lines are an incomplete expression: a bracket, template or heredoc is still open. An empty line
 * always ends an expression.
 */
export function expressionContinues(lines: readonly string[]): boolean {
  const last = lines.at(-1);
  if (last === undefined || last.trim() === '') return false;
  return isOpen(`${lines.join('\n')}\n`);
}

function isOpen(text: string): boolean {
  const stack: string[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at] ?? '';
    if (stack.at(-1) === '"') {
      if (char === '\n') return false;
      if (char === '\\') at += 2;
      else if (char === '"') at = popBracket(stack, at);
      else if (opensTemplate(text, at)) at = pushBracket(stack, '}', at + 1);
      else at++;
    } else if (char === '"') {
      at = pushBracket(stack, '"', at);
    } else if (char === '#' || text.startsWith('//', at)) {
      at = text.indexOf('\n', at) + 1;
    } else if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) return true;
      at = end + 2;
    } else if (text.startsWith('<<', at)) {
      const end = afterHeredoc(text, at);
      if (end === 'open') return true;
      at = end;
    } else if (OPENING[char] !== undefined) {
      at = pushBracket(stack, OPENING[char], at);
    } else if (char === ')' || char === ']' || char === '}') {
      if (stack.at(-1) !== char) return false;
      at = popBracket(stack, at);
    } else {
      at++;
    }
  }
  return stack.length > 0 && stack.at(-1) !== '"';
}

function opensTemplate(text: string, at: number): boolean {
  const begins = text.startsWith('${', at) || text.startsWith('%{', at);
  return begins && text[at - 1] !== text[at];
}

function pushBracket(stack: string[], closing: string, at: number): number {
  stack.push(closing);
  return at + 1;
}

function popBracket(stack: string[], at: number): number {
  stack.pop();
  return at + 1;
}

function afterHeredoc(text: string, at: number): number | 'open' {
  HEREDOC.lastIndex = at;
  const start = HEREDOC.exec(text);
  if (start === null) return at + 2;
  const marker = start[1] ?? '';
  let line = HEREDOC.lastIndex;
  while (line < text.length) {
    const end = text.indexOf('\n', line);
    if (text.slice(line, end).trim() === marker) return end;
    line = end + 1;
  }
  return 'open';
}
