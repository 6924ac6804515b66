/** Attributes of a span. They must not contain secrets. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** A span of a trace. */
export interface Span {
  /** Sets an attribute. */
  set(name: string, value: string | number | boolean): void;
  /** Marks the span as failed. */
  fail(): void;
}

/** Receives the spans of a run. */
export interface Traces {
  /**
   * Runs `work` within a span, which ends when `work` returns or its promise is settled. Spans that begin meanwhile in
   * the same chain of calls are its children. An exception of `work` is rethrown and fails the span.
   */
  within<T>(name: string, attributes: SpanAttributes, work: (span: Span) => T): T;
  /**
   * Runs `work` within the span of a request that a server answers. Its parent is the span in the `traceparent` of the
   * request; without one, it is the first of a trace.
   */
  withinRequest<T>(
    name: string,
    attributes: SpanAttributes,
    traceparent: string | undefined,
    work: (span: Span) => T,
  ): T;
  /** Returns the current span as W3C Trace Context's `traceparent`, for child processes; undefined outside of spans. */
  traceparent(): string | undefined;
}

const UNTRACED: Span = { set: () => undefined, fail: () => undefined };

/** Runs `work` within a span if tracing is enabled, otherwise directly. */
export function withSpan<T>(
  traces: Traces | undefined,
  name: string,
  attributes: SpanAttributes,
  work: (span: Span) => T,
): T {
  return traces === undefined ? work(UNTRACED) : traces.within(name, attributes, work);
}
