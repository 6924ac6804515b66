import type { Chance } from './chance.ts';

/** Pieces that parsers and evaluators have to take care with. */
const PIECES: readonly string[] = [
  ...['{', '}', '[', ']', '(', ')', '"', '\n', '\r\n', ' ', '=', '==', '?', ':', ',', '.', '...'],
  ...[
    '${',
    '%{',
    '$${',
    '%%{',
    '~}',
    '%{ if true }',
    '%{ endif }',
    '%{ for x in [1] }',
    '%{ else }',
  ],
  ...[
    '<<EOT\n',
    '<<-EOT\n',
    'EOT\n',
    '//',
    '/*',
    '*/',
    '#',
    '\\',
    '\\u0000',
    '\\U0010ffff',
    '\\ud800',
  ],
  ...['!', '&&', '||', '-', '+', '*', '/', '%', '<', '>=', '=>', '[*]', '.*', '.0', '[0]', '["a"]'],
  ...[
    'null',
    'true',
    'false',
    '0',
    '-0',
    '1e309',
    '1e-400',
    '99999999999999999999999999',
    '0x1',
    '1.',
  ],
  ...[
    '"a": 1',
    '[]',
    '{}',
    '""',
    '"\u0000"',
    '\u0000',
    '\uFEFF',
    '\u{1F468}\u200D\u{1F469}',
    'e\u0301',
    '\u2028',
  ],
  ...[
    'each.key',
    'each.value',
    'count.index',
    'self',
    'self.id',
    'path.module',
    'terraform.workspace',
  ],
  ...[
    'local.x',
    'var.x',
    'module.x',
    'data.x.y',
    'terraform_data.x',
    'ephemeral.x.y',
    'resource.a.b',
  ],
  ...[
    'for x in {} : x => x...',
    'for_each = {}',
    'count = 0',
    'count = "x"',
    'depends_on = [self]',
  ],
  ...[
    'dynamic "x" {}',
    'lifecycle {}',
    'provisioner "local-exec" {}',
    'connection {}',
    'import {}',
  ],
  ...['moved {}', 'removed {}', 'check "x" {}', 'variable "x" {}', 'output "x" {}', 'locals {}'],
  ...['provider "x" {}', 'terraform {}', 'module "x" {}', 'action "x" "y" {}', 'encryption {}'],
  ...[
    'try(',
    'can(',
    'tolist(',
    'sensitive(',
    'jsonencode(',
    'templatefile("main.tf", {})',
    'file("main.tf")',
  ],
  ...[
    'core::abs(',
    'provider::terraform::encode_expr(',
    'range(10)',
    'formatdate("',
    'regex("(',
    'type(',
  ],
];

const WORD = /[\p{L}\p{N}_-]+|"[^"\n]*"|\S/gu;

/** Returns the boundaries of words, quoted strings and symbols in a text. */
function wordsOf(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(WORD)].map((match) => [match.index, match.index + match[0].length]);
}

function splice(text: string, start: number, end: number, insertion: string): string {
  return text.slice(0, start) + insertion + text.slice(end);
}

/** A line or a few of another text. */
function excerpt(chance: Chance, text: string): string {
  const lines = text.split('\n');
  const start = chance.below(lines.length);
  return `${lines.slice(start, start + 1 + chance.below(6)).join('\n')}\n`;
}

/** Changes a text in one place: by characters, words, lines, depth, or with pieces of another text. */
export function mutateText(chance: Chance, text: string, other: string): string {
  const at = chance.below(text.length + 1);
  const words = wordsOf(text);
  const [start, end] = words.length === 0 ? ([0, 0] as const) : chance.pick(words);
  switch (chance.below(13)) {
    case 0:
      return splice(text, at, at + 1 + chance.below(8), '');
    case 1:
      return splice(text, at, at, chance.pick(PIECES));
    case 2:
      return splice(text, start, end, chance.pick(PIECES));
    case 3:
      return splice(text, start, end, '');
    case 4: {
      const [otherStart, otherEnd] = words.length === 0 ? [0, 0] : chance.pick(words);
      return splice(text, start, end, text.slice(otherStart, otherEnd));
    }
    case 5: {
      const pieces = wordsOf(other);
      if (pieces.length === 0) return text;
      const [from, to] = chance.pick(pieces);
      return splice(text, start, end, other.slice(from, to));
    }
    case 6: {
      const line = text.lastIndexOf('\n', at - 1) + 1;
      return splice(text, line, line, excerpt(chance, other));
    }
    case 7: {
      const line = text.lastIndexOf('\n', at - 1) + 1;
      const next = text.indexOf('\n', at);
      return splice(text, line, next === -1 ? text.length : next + 1, '');
    }
    case 8:
      return text.slice(0, at);
    case 9: {
      const until = Math.min(text.length, at + 1 + chance.below(200));
      return splice(text, until, until, text.slice(at, until));
    }
    case 10:
      return splice(text, start, end, String.fromCodePoint(1 + chance.below(0x2fff)));
    case 11: {
      // Deep, though not deeper than what has a message of its own.
      const depth = 1 + chance.below(chance.once(8) ? 3000 : 30);
      const [open, close] = chance.pick([
        ['(', ')'],
        ['[', ']'],
        ['{a=', '}'],
        ['"${', '}"'],
        ['!', ''],
        ['-', ''],
        ['[for x in ', ' : x]'],
        ['true ? 1 : ', ''],
      ] as const);
      return splice(
        text,
        start,
        end,
        open.repeat(depth) + text.slice(start, end) + close.repeat(depth),
      );
    }
    default:
      return splice(text, at, at + 1, String.fromCharCode(chance.below(128)));
  }
}

/** Changes bytes, cuts or doubles a stretch of them. */
export function mutateBytes(chance: Chance, bytes: Uint8Array): Uint8Array {
  const at = chance.below(Math.max(1, bytes.length));
  const length = 1 + chance.below(64);
  switch (chance.below(4)) {
    case 0: {
      const changed = bytes.slice();
      for (let times = 1 + chance.below(4); times > 0; times--)
        changed[chance.below(bytes.length)] = chance.below(256);
      return changed;
    }
    case 1:
      return bytes.slice(0, at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    default:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.max(0, at - length))]);
  }
}
