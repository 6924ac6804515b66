// The client alone: the package's entry also loads its pool, which breaks where the condition `import` holds for
// `require` too, as in tests.
declare module 'pg/lib/client.js' {
  import { Client } from 'pg';
  export default Client;
}
