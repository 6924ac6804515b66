/**
 * The way of accessing a server, the `remote` backend or the `cloud` block; they differ in messages and a few rules.
 */
export type CloudFlavour = 'remote' | 'cloud';
