// The gRPC exporter of spans, in a separate bundle: it is as large as all other code of traces.
export { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
