// Sends spans by gRPC, in a bundle of its own: it is as large as all of the rest that traces need.
export { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
