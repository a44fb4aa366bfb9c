/**
 * The configuration of Postgres' full-text search by which a text of this language is indexed. Texts of other languages than
 * English keep their words as they are, because English stems and stop words would spoil them. A text whose language is not
 * known (null) is mostly a short one, and is taken for English.
 */
export function textSearchConfiguration(language: string | null): 'pg_catalog.english' | 'pg_catalog.simple' {
  return language === null || language === 'en' ? 'pg_catalog.english' : 'pg_catalog.simple';
}
