import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { DocumentExtract, StoredDocument } from '../../../generated/types';
import { api, idempotencyKey } from '../api/client';
import { change } from '../api/session';
import { t } from '../texts/texts';
import { Button, SelectField } from '../ui/controls';
import { ErrorNote } from '../ui/feedback';
import { Usd } from '../ui/layout';
import { Actions, Modal } from '../ui/overlays';
import { Table } from '../ui/table';

const WHATS = ['entities', 'tables', 'key_values', 'dates', 'amounts'] as const;

/** What is found in a document, as a table whose columns are the members that the API gives. */
export function ExtractModal({ document, onClose }: { document: StoredDocument; onClose: () => void }) {
  const [what, setWhat] = useState<(typeof WHATS)[number]>('entities');
  const extraction = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/documents/{doc_id}/extract', {
          params: { path: { doc_id: document.id }, header: idempotencyKey() },
          body: { what },
        }),
      ),
  });
  const { data, metadata } = extraction.data ?? {};
  return (
    <Modal title={t.documents.extractTitle(document.title)} open onClose={onClose}>
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-48 flex-1">
          <SelectField
            label={t.documents.what}
            value={what}
            options={WHATS.map((value) => ({ value, text: t.documents.whats[value] }))}
            onChange={(event) => setWhat(WHATS.find((known) => known === event.target.value) ?? what)}
          />
        </div>
        <Button look="primary" busy={extraction.isPending} onClick={() => extraction.mutate()}>
          {t.documents.extract}
        </Button>
      </div>
      <ErrorNote error={extraction.error} />
      <div aria-live="polite" className="mt-4 flex flex-col gap-4">
        {data && tablesOf(data).map((rows, index) => <Found key={index} rows={rows} />)}
        {metadata && (
          <p className="text-sm text-muted">
            {t.collections.cost} <Usd amount={metadata.cost} />
          </p>
        )}
      </div>
      <Actions>
        <Button onClick={onClose}>{t.common.close}</Button>
      </Actions>
    </Modal>
  );
}

/** Rows by the names of their columns: of each table that was found, or of the one thing that was asked for. */
function tablesOf(data: DocumentExtract): readonly (readonly object[])[] {
  if (data.what === null) {
    return [];
  }
  if (data.what !== 'tables') {
    return [data[data.what] ?? []];
  }
  const tables = (data.tables ?? []).map(({ header, rows }) =>
    rows.map((row) => Object.fromEntries(row.map((cell, at) => [header[at] || String(at + 1), cell]))),
  );
  return tables.length === 0 ? [[]] : tables;
}

interface Entry {
  id: string;
  cells: Record<string, unknown>;
}

function Found({ rows }: { rows: readonly object[] }) {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].slice(0, 5);
  if (rows.length === 0) {
    return <p className="text-muted">{t.documents.nothingFound}</p>;
  }
  const entries: Entry[] = rows.map((row, index) => ({
    id: String(index),
    cells: row as Record<string, unknown>,
  }));
  return (
    <div className="overflow-hidden rounded-xl border border-line">
      <Table
        label={t.documents.extract}
        rows={entries}
        keyOf={({ id }) => id}
        columns={names.map((name) => ({ name, cell: ({ cells }: Entry) => textOf(cells[name]) }))}
      />
    </div>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) {
    return '—';
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
