/**
 * What a database consists of, one line for each thing: tables with their options and partitions, columns, constraints,
 * indexes, triggers, functions and extensions.
 */
export const CATALOG = `
  SELECT line FROM (
    SELECT format('relation %s %s %s %s %s %s', oid::regclass, relkind, reloptions,
      (SELECT reloptions FROM pg_class AS toast WHERE toast.oid = pg_class.reltoastrelid),
      pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid)) AS line
    FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT format('column %s %s %s %s not null %s default %s identity %s generated %s collation %s storage %s statistics %s', attrelid::regclass,
      attnum, attname, format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attidentity, attgenerated,
      attcollation::regcollation, attstorage, attstattarget)
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace = 'public'::regnamespace AND attnum > 0
    UNION ALL
    SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
    UNION ALL
    SELECT format('index %s %s', pg_get_indexdef(indexrelid), indisvalid)
    FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT format('inherits %s %s', inhrelid::regclass, inhparent::regclass) FROM pg_inherits
    UNION ALL
    SELECT format('trigger %s %s %s', tgrelid::regclass, tgenabled, pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL
    SELECT format('function %s', pg_get_functiondef(oid)) FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e')
    UNION ALL
    SELECT format('extension %s', extname) FROM pg_extension
  ) AS catalog ORDER BY line COLLATE "C"`;
