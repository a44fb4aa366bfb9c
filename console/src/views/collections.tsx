import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { withKey } from '../api/access-key';
import { api, idempotencyKey, type Answered } from '../api/client';
import { queries } from '../api/session';
import { t } from '../texts/texts';
import { Button, TextArea, TextField } from '../ui/controls';
import { Empty, ErrorNote, Loaded } from '../ui/feedback';
import { SearchField, useFilters } from '../ui/filters';
import { Card, count, Page, Time, Usd } from '../ui/layout';
import { Actions, Confirm, Modal } from '../ui/overlays';
import { RowMenu } from '../ui/row-menu';
import { Pages, Table } from '../ui/table';

const PAGE = 25;

export function Collections() {
  const [isAdding, setAdding] = useState(false);
  const [{ collection, offset = 0 }] = useFilters();
  const [removed, setRemoved] = useState<{ document_id: string; collection: string }>();
  const list = useQuery({
    queryKey: ['rag', 'documents', collection, offset],
    queryFn: ({ signal }) =>
      withKey(
        (headers) =>
          api.GET('/api/hub/rag/documents', {
            params: { query: { limit: PAGE, offset, collection } },
            headers,
            signal,
          }),
        true,
      ),
  });
  const removal = useMutation({
    mutationFn: ({ document_id }: { document_id: string }) =>
      withKey(
        (headers) =>
          api.DELETE('/api/hub/rag/documents/{document_id}', { params: { path: { document_id } }, headers }),
        true,
      ),
    onSuccess: () => {
      setRemoved(undefined);
      void queries.invalidateQueries({ queryKey: ['rag'] });
    },
  });
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      {t.collections.add}
    </Button>
  );
  return (
    <Page title={t.nav.collections} lead={t.collections.lead} actions={add}>
      <Ask collection={collection} />
      <Card
        title={t.collections.stored}
        isFlush
        actions={
          <div className="w-48">
            <SearchField label={t.collections.collection} name="collection" placeholder={t.collections.all} />
          </div>
        }
      >
        <Loaded query={list}>
          {({ data: { documents, total } }) => (
            <>
              <Table
                label={t.collections.stored}
                rows={documents}
                keyOf={({ document_id, collection: inside }) => `${inside} ${document_id}`}
                empty={
                  <Empty title={t.collections.empty} action={add}>
                    {t.collections.emptyText}
                  </Empty>
                }
                columns={[
                  {
                    name: t.collections.document,
                    cell: (one) => <span className="break-all">{titleOf(one)}</span>,
                  },
                  { name: t.collections.collection, cell: (one) => one.collection },
                  {
                    name: t.collections.chunks,
                    isNumber: true,
                    isSecondary: true,
                    cell: ({ chunks }) => count(chunks),
                  },
                  {
                    name: t.collections.tokens,
                    isNumber: true,
                    isSecondary: true,
                    cell: ({ tokens }) => count(tokens),
                  },
                  {
                    name: t.common.created,
                    isSecondary: true,
                    cell: ({ created_at }) => <Time at={created_at} />,
                  },
                ]}
                buttons={(one) => (
                  <RowMenu
                    label={t.common.actionsFor(titleOf(one))}
                    items={[{ text: t.collections.remove, onSelect: () => setRemoved(one), isDanger: true }]}
                  />
                )}
              />
              <Pages total={total} limit={PAGE} />
            </>
          )}
        </Loaded>
      </Card>
      {isAdding && <AddText collection={collection} onClose={() => setAdding(false)} />}
      {removed && (
        <Confirm
          title={t.collections.removeTitle}
          description={t.collections.removeText}
          confirm={t.collections.remove}
          open
          busy={removal.isPending}
          error={removal.error}
          onConfirm={() => removal.mutate(removed)}
          onClose={() => {
            setRemoved(undefined);
            removal.reset();
          }}
        />
      )}
    </Page>
  );
}

function Ask({ collection }: { collection: string | undefined }) {
  const [query, setQuery] = useState('');
  const asking = useMutation({
    mutationFn: (isAnswered: boolean) => {
      const body = { query: query.trim(), top_k: 5, collection };
      const params = { header: idempotencyKey() };
      return withKey<{ data: Found; metadata: { cost: number } }>((headers) =>
        isAnswered
          ? (api.POST('/api/hub/rag/generate', { params, headers, body }) as Promise<
              Answered<{ data: Found; metadata: { cost: number } }>
            >)
          : api.POST('/api/hub/rag/retrieve', { params, headers, body }),
      );
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    asking.mutate(true);
  }
  return (
    <Card title={t.collections.ask}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label={t.collections.question}
          placeholder={t.collections.example}
          required
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button disabled={query.trim() === '' || asking.isPending} onClick={() => asking.mutate(false)}>
            {t.collections.search}
          </Button>
          <Button type="submit" look="primary" busy={asking.isPending} disabled={query.trim() === ''}>
            {t.collections.generate}
          </Button>
        </div>
      </form>
      <ErrorNote error={asking.error} />
      <div aria-live="polite">
        {asking.data && <Answer found={asking.data.data} cost={asking.data.metadata.cost} />}
      </div>
    </Card>
  );
}

interface Titled {
  document_id: string;
  metadata: Record<string, unknown>;
}

/** A document that came from a file has its title there, one that a program indexed may have. */
function titleOf({ document_id, metadata }: Titled): string {
  return typeof metadata.title === 'string' && metadata.title.trim() !== '' ? metadata.title : document_id;
}

interface Found {
  results: (Titled & { chunk_id: string; collection: string; score: number; text: string })[];
  text?: string;
  found?: boolean;
}

function Answer({ found, cost }: { found: Found; cost: number }) {
  return (
    <div className="mt-5 border-t border-line pt-5">
      {found.text !== undefined && (
        <div className="mb-5">
          <h3 className="mb-1 font-semibold">{t.collections.answer}</h3>
          <p className="max-w-prose break-words whitespace-pre-wrap">
            {found.found === false ? t.collections.notFound : found.text}
          </p>
        </div>
      )}
      <h3 className="mb-2 font-semibold">{t.collections.sources}</h3>
      <ol className="flex flex-col gap-3">
        {found.results.map(({ chunk_id, score, text, ...document }, index) => (
          <li key={chunk_id} className="rounded-xl border border-line p-3">
            <p className="mb-1 flex flex-wrap justify-between gap-2 text-sm text-muted">
              <span className="break-all">
                [{index + 1}] {titleOf(document)}
              </span>
              <span>
                {t.collections.score} {score.toFixed(2)}
              </span>
            </p>
            <p className="line-clamp-6 break-words whitespace-pre-wrap">{text}</p>
          </li>
        ))}
        {found.results.length === 0 && <li className="text-muted">{t.collections.notFound}</li>}
      </ol>
      <p className="mt-3 text-sm text-muted">
        {t.collections.cost} <Usd amount={cost} />
      </p>
    </div>
  );
}

function AddText({ collection, onClose }: { collection: string | undefined; onClose: () => void }) {
  const [name, setName] = useState(collection ?? '');
  const [title, setTitle] = useState('');
  const [content, setContent] = useState('');
  const [header] = useState(idempotencyKey);
  const adding = useMutation({
    mutationFn: () =>
      withKey((headers) =>
        api.POST('/api/hub/rag/index', {
          params: { header },
          headers,
          body: {
            content,
            collection: name.trim() === '' ? 'default' : name.trim(),
            ...(title.trim() !== '' && { metadata: { title: title.trim() } }),
          },
        }),
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['rag'] });
      onClose();
    },
  });
  function submit(event: FormEvent): void {
    event.preventDefault();
    adding.mutate();
  }
  return (
    <Modal title={t.collections.addTitle} open onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t.documents.title}
          optional
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <TextField
          label={t.collections.collection}
          optional
          placeholder="default"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextArea
          label={t.collections.content}
          rows={10}
          required
          value={content}
          onChange={(event) => setContent(event.target.value)}
        />
        <ErrorNote error={adding.error} />
        <Actions>
          <Button onClick={onClose}>{t.common.cancel}</Button>
          <Button type="submit" look="primary" busy={adding.isPending} disabled={content.trim() === ''}>
            {t.common.save}
          </Button>
        </Actions>
      </form>
    </Modal>
  );
}
