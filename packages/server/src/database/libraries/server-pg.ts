// The client library for PostgreSQL, in a bundle of its own.
export { Client, Pool } from 'pg';
