/** Attributes of a span. Nothing that is secret belongs into it. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A piece of work that a trace tells of. */
export interface Span {
  /** Adds to what is told of it. */
  set(name: string, value: string | number | boolean): void;
  /** It did not do what it should. */
  fail(): void;
}

/** Receives the spans of a run. */
export interface Traces {
  /**
   * Does work within a span, which begins now and ends with what `work` gives, a promise or not. Spans that begin
   * meanwhile in the same chain of calls lie within it. What `work` throws is thrown, and fails the span.
   */
  within<T>(name: string, attributes: SpanAttributes, work: (span: Span) => T): T;
  /** Returns the current span as W3C Trace Context's `traceparent`, for child processes; undefined outside of spans. */
  traceparent(): string | undefined;
}

const UNTOLD: Span = { set: () => undefined, fail: () => undefined };

/** Does work within a span where there are traces, and alone where there are none. */
export function withSpan<T>(
  traces: Traces | undefined,
  name: string,
  attributes: SpanAttributes,
  work: (span: Span) => T,
): T {
  return traces === undefined ? work(UNTOLD) : traces.within(name, attributes, work);
}
