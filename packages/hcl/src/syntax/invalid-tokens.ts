import { errorDiagnostic } from '../diagnostic/diagnostic.ts';
import type { Diagnostic } from '../model.ts';
import { FIRST_INVALID, Token, type TokenList } from './tokens.ts';

const INVALID_CHARACTER = 'Invalid character';

/** Diagnostics for tokens that are always invalid; repetitions are reported only a few times. */
export function checkInvalidTokens(tokens: TokenList): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  if (!tokens.hasInvalid) return diagnostics;
  const reportCounts = { bitwise: 0, backtick: 0, apostrophe: 0, semicolon: 0, badUtf8: 0 };
  for (let i = 0; i < tokens.length; i++) {
    const type = tokens.type(i);
    if (type < FIRST_INVALID) {
      continue;
    }
    switch (type) {
      case Token.BitwiseAnd:
      case Token.BitwiseOr:
      case Token.BitwiseXor:
      case Token.BitwiseNot:
        if (reportCounts.bitwise < 4) {
          const detail = `Bitwise operators are not supported.${bitwiseHint(type)}`;
          diagnostics.push(errorDiagnostic('Unsupported operator', detail, tokens.range(i)));
          reportCounts.bitwise++;
        }
        break;
      case Token.Backtick:
        // Only every second one, so that a pair of quotes is reported once.
        if (reportCounts.backtick % 2 === 0) {
          const detail =
            'The "`" character is not valid. To create a multi-line string, use the "heredoc" syntax, like "<<EOT".';
          diagnostics.push(errorDiagnostic(INVALID_CHARACTER, detail, tokens.range(i)));
        }
        reportCounts.backtick += reportCounts.backtick <= 2 ? 1 : 0;
        break;
      case Token.Apostrophe:
        if (reportCounts.apostrophe % 2 === 0) {
          const detail = 'Single quotes are not valid. Use double quotes (") to enclose strings.';
          diagnostics.push(errorDiagnostic(INVALID_CHARACTER, detail, tokens.range(i)));
        }
        reportCounts.apostrophe += reportCounts.apostrophe <= 2 ? 1 : 0;
        break;
      case Token.Semicolon:
        if (reportCounts.semicolon < 1) {
          const detail =
            'The ";" character is not valid. Use newlines to separate arguments and blocks, and commas to separate items in collection values.';
          diagnostics.push(errorDiagnostic(INVALID_CHARACTER, detail, tokens.range(i)));
          reportCounts.semicolon++;
        }
        break;
      case Token.BadUTF8:
        if (reportCounts.badUtf8 < 1) {
          const detail =
            'All input files must be UTF-8 encoded. Ensure that UTF-8 encoding is selected in your editor.';
          const summary = 'Invalid character encoding';
          diagnostics.push(errorDiagnostic(summary, detail, tokens.range(i)));
          reportCounts.badUtf8++;
        }
        break;
      case Token.QuotedNewline: {
        const detail =
          'Quoted strings may not be split over multiple lines. To produce a multi-line string, either use the \\n escape to represent a newline character or use the "heredoc" multi-line template syntax.';
        diagnostics.push(errorDiagnostic('Invalid multi-line string', detail, tokens.range(i)));
        break;
      }
      case Token.Invalid: {
        const text = tokens.textOf(i);
        const detail =
          text === '“' || text === '”'
            ? '"Curly quotes" are not valid here. These can sometimes be inadvertently introduced when sharing code via documents or discussion forums. It might help to replace the character with a "straight quote".'
            : 'This character is not used within the language.';
        diagnostics.push(errorDiagnostic(INVALID_CHARACTER, detail, tokens.range(i)));
        break;
      }
      default:
    }
  }
  return diagnostics;
}

function bitwiseHint(type: number): string {
  switch (type) {
    case Token.BitwiseAnd:
      return ' Did you mean boolean AND ("&&")?';
    case Token.BitwiseOr:
      return ' Did you mean boolean OR ("||")?';
    case Token.BitwiseNot:
      return ' Did you mean boolean NOT ("!")?';
    default:
      return '';
  }
}
