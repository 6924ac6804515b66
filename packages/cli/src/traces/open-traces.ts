import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  Context,
  Span as TracedSpan,
  SpanOptions,
  TextMapGetter,
  TextMapSetter,
} from '@opentelemetry/api';
import type { ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';
import { TERRANE_VERSION } from '@terrane/engine/version';
import { type Span, type Traces, errorText } from '@terrane/host';
import type { World } from '../world.ts';
import type * as opentelemetry from './libraries/opentelemetry.ts';

/** Traces of one run of the program. */
export interface OpenTraces extends Traces {
  /** Sends the remaining spans. Returns the error of a failed export, if any. */
  end(): Promise<string | undefined>;
}

type Library = typeof opentelemetry;

/** Trace exporters by OpenTelemetry protocol. */
const EXPORTERS: Readonly<Record<string, (library: Library) => Promise<SpanExporter>>> = {
  'http/protobuf': async ({ ProtobufExporter }) => new ProtobufExporter(),
  'http/json': async ({ JsonExporter }) => new JsonExporter(),
  async grpc() {
    const { GrpcExporter } = await import('./libraries/opentelemetry-grpc.ts');
    return new GrpcExporter();
  },
};

/** The maximum number of queued spans: planning creates spans faster than they are exported. */
const QUEUE = 500_000;

/**
 * Starts to export spans to a collector, as configured by `OTEL_EXPORTER_OTLP_…`. The parent is the span in
 * `TRACEPARENT`. Returns an error for an unknown protocol.
 */
export async function openTraces({ environment }: World): Promise<OpenTraces | { error: string }> {
  const protocol =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ||
    environment['OTEL_EXPORTER_OTLP_PROTOCOL'] ||
    'http/protobuf';
  const exporterOf = Object.hasOwn(EXPORTERS, protocol) ? EXPORTERS[protocol] : undefined;
  if (exporterOf === undefined) {
    const known = Object.keys(EXPORTERS).join(', ');
    return {
      error: `Traces are sent by one of ${known}, and not by ${JSON.stringify(protocol)}: see OTEL_EXPORTER_OTLP_PROTOCOL`,
    };
  }
  const library: Library = await import('./libraries/opentelemetry.ts');
  const exporter = new WatchedExporter(await exporterOf(library), library);
  const provider = tracerProvider(library, exporter);
  const tracer = provider.getTracer('terrane', TERRANE_VERSION);
  const contextOf = (source: World['environment']): Context =>
    new library.W3CTraceContextPropagator().extract(library.ROOT_CONTEXT, source, ENVIRONMENT);
  const parent = contextOf(environment);
  const current = new AsyncLocalStorage<Context>();
  const runIn = <T>(
    around: Context,
    name: string,
    options: SpanOptions,
    work: (span: Span) => T,
  ): T => {
    const traced = tracer.startSpan(name, options, around);
    const context = library.trace.setSpan(around, traced);
    return runInSpan(traced, spanOf(traced, library), (span) =>
      current.run(context, () => work(span)),
    );
  };
  return {
    within: (name, attributes, work) =>
      runIn(current.getStore() ?? parent, name, { attributes }, work),
    withinRequest(name, attributes, traceparent, work) {
      const around = contextOf(traceparent === undefined ? {} : { TRACEPARENT: traceparent });
      return runIn(around, name, { attributes, kind: library.SpanKind.SERVER }, work);
    },
    traceparent() {
      const context = current.getStore();
      if (context === undefined) return undefined;
      const carrier: { traceparent?: string } = {};
      new library.W3CTraceContextPropagator().inject(context, carrier, CARRIER);
      return carrier.traceparent;
    },
    async end() {
      try {
        await provider.shutdown();
      } catch (error) {
        // any-error: traces must not fail the command, which has ended.
        return errorText(error);
      }
      return exporter.problem;
    },
  };
}

/** Returns a provider of tracers that exports spans in batches. */
function tracerProvider(
  library: Library,
  exporter: SpanExporter,
): InstanceType<Library['BasicTracerProvider']> {
  // Resource attributes of the environment have precedence over ours.
  const named = library.resourceFromAttributes({
    'service.name': 'terrane',
    'service.version': TERRANE_VERSION,
  });
  const detected = library.detectResources({ detectors: [library.envDetector] });
  return new library.BasicTracerProvider({
    resource: library.defaultResource().merge(named).merge(detected),
    spanProcessors: [
      new library.BatchSpanProcessor(exporter, { maxQueueSize: QUEUE, maxExportBatchSize: 2_000 }),
    ],
  });
}

/** Does work within a span, and ends the span with it. */
function runInSpan<T>(traced: TracedSpan, span: Span, work: (span: Span) => T): T {
  try {
    const result = work(span);
    if (!isPromise(result)) {
      traced.end();
      return result;
    }
    void result.then(
      () => traced.end(),
      () => {
        span.fail();
        traced.end();
      },
    );
    return result;
  } catch (error) {
    span.fail();
    traced.end();
    throw error;
  }
}

/** `TRACEPARENT` and `TRACESTATE`, as the headers of these names. */
const ENVIRONMENT: TextMapGetter<World['environment']> = {
  keys: () => ['traceparent', 'tracestate'],
  get: (environment, name) => environment[name.toUpperCase()],
};

/** Takes the `traceparent` that a propagator writes. */
const CARRIER: TextMapSetter<{ traceparent?: string }> = {
  set(carrier, name, value) {
    if (name === 'traceparent') carrier.traceparent = value;
  },
};

function spanOf(traced: TracedSpan, { SpanStatusCode }: Library): Span {
  return {
    set: (name, value) => void traced.setAttribute(name, value),
    // Messages may hold secrets.
    fail: () => void traced.setStatus({ code: SpanStatusCode.ERROR }),
  };
}

function isPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

/** Records the export error, which the OpenTelemetry SDK would otherwise drop. */
class WatchedExporter implements SpanExporter {
  problem: string | undefined;
  readonly #exporter: SpanExporter;
  readonly #library: Library;

  constructor(exporter: SpanExporter, library: Library) {
    this.#exporter = exporter;
    this.#library = library;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.#exporter.export(spans, (result) => {
      if (result.code !== this.#library.ExportResultCode.SUCCESS) {
        this.problem = result.error?.message ?? 'the collector did not take them';
      }
      done(result);
    });
  }

  async shutdown(): Promise<void> {
    await this.#exporter.shutdown();
  }
}
