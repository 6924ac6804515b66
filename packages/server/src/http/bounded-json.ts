import { ApiError } from './json-api.ts';

/** Nesting of a document of the API, which has less than ten levels. */
const DEEPEST_DOCUMENT = 64;
/** Nesting of what agents send about a run, which has values of any type of a provider. */
const DEEPEST_REPORT = 512;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [ARRAY, END_OF_ARRAY, OBJECT, END_OF_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Measures how deeply the arrays and objects of a JSON text are nested, piece by piece. */
class JsonDepth {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** Reads the next piece of the text. Returns true if it is nested more deeply than `deepest`. */
  exceeds(piece: Uint8Array, deepest: number): boolean {
    for (const byte of piece) {
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInString = false;
      } else if (byte === QUOTE) this.#isInString = true;
      else if (byte === OBJECT || byte === ARRAY) {
        if (++this.#depth > deepest) return true;
      } else if (byte === END_OF_OBJECT || byte === END_OF_ARRAY) this.#depth--;
    }
    return false;
  }
}

/** Parses a document. Throws a SyntaxError if it is not JSON, or nested too deeply for recursive functions. */
export function parseDocument(bytes: Uint8Array): unknown {
  return parseBounded(bytes, DEEPEST_DOCUMENT);
}

/** Parses the report of an agent, which is not trusted. Throws an ApiError if it is not JSON, or nested too deeply. */
export function parseReport(bytes: Uint8Array): unknown {
  try {
    return parseBounded(bytes, DEEPEST_REPORT);
  } catch {
    throw new ApiError(
      400,
      'bad request',
      `The report is not valid JSON with at most ${DEEPEST_REPORT} levels.`,
    );
  }
}

function parseBounded(bytes: Uint8Array, deepest: number): unknown {
  if (new JsonDepth().exceeds(bytes, deepest)) throw new SyntaxError('The JSON is too deep.');
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}

/** Passes a JSON text of an agent on while it is received. Throws an ApiError if it is nested too deeply. */
export async function* boundedReport(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const depth = new JsonDepth();
  for await (const piece of content) {
    if (depth.exceeds(piece, DEEPEST_REPORT)) {
      throw new ApiError(
        400,
        'bad request',
        `The JSON of the plan has more than ${DEEPEST_REPORT} levels.`,
      );
    }
    yield piece;
  }
}
