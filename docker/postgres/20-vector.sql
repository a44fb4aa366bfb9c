-- Retrieval by meaning searches with pgvector where the database has it. Only a superuser may install it.
\set ON_ERROR_STOP on

CREATE EXTENSION IF NOT EXISTS vector;
