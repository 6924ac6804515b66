// The client module: the package's entry also loads its pool, which fails if the condition `import` applies to
// `require` too, as in tests.
declare module 'pg/lib/client.js' {
  import { Client } from 'pg';
  export default Client;
}
