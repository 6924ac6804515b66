export { default as Client } from 'pg/lib/client.js';
