export { awsProvider, provider } from './provider.ts';
