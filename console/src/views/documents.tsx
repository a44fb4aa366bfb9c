import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState, type DragEvent } from 'react';
import type { StoredDocument, UploadedDocumentResponse } from '../../../generated/types';
import { answer, api, ApiError, apiRoot, idempotencyKey } from '../api/client';
import { change, queries } from '../api/session';
import { t } from '../texts/texts';
import { buttonClass } from '../ui/controls';
import { Badge, Empty, ErrorNote, Loaded, Note, type Tone } from '../ui/feedback';
import { useFilters } from '../ui/filters';
import { Card, count, Page, Time } from '../ui/layout';
import { Confirm } from '../ui/overlays';
import { RowMenu } from '../ui/row-menu';
import { Pages, Table } from '../ui/table';
import { ExtractModal } from './extraction';

const PAGE = 25;
const TONES: Record<StoredDocument['status'], Tone> = {
  uploaded: 'neutral',
  processing: 'accent',
  ready: 'good',
  failed: 'bad',
};

export function Documents() {
  const [{ offset = 0 }] = useFilters();
  const [extracted, setExtracted] = useState<StoredDocument>();
  const [removed, setRemoved] = useState<StoredDocument>();
  const query = useQuery({
    queryKey: ['documents', offset],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/documents', { params: { query: { limit: PAGE, offset } }, signal })),
    refetchInterval: ({ state: { data } }) =>
      data?.data.documents.some(({ status }) => status === 'processing') ? 2_000 : false,
  });
  const reading = useMutation({
    mutationFn: (id: string) =>
      change(() =>
        api.POST('/api/documents/{doc_id}/process', {
          params: { path: { doc_id: id }, header: idempotencyKey() },
        }),
      ),
    onSuccess: reload,
  });
  const removal = useMutation({
    mutationFn: (id: string) =>
      change(() => api.DELETE('/api/documents/{doc_id}', { params: { path: { doc_id: id } } })),
    onSuccess: () => {
      setRemoved(undefined);
      reload();
    },
  });
  const itemsOf = (document: StoredDocument) => [
    ...(document.status === 'ready'
      ? []
      : [{ text: t.documents.process, onSelect: () => reading.mutate(document.id) }]),
    ...(document.status === 'ready'
      ? [{ text: t.documents.extract, onSelect: () => setExtracted(document) }]
      : []),
    { text: t.documents.remove, onSelect: () => setRemoved(document), isDanger: true },
  ];
  return (
    <Page title={t.nav.documents} lead={t.documents.lead}>
      <Upload />
      <ErrorNote error={reading.error} />
      <Card isFlush>
        <Loaded query={query}>
          {({ data: { documents, total } }) => (
            <>
              <Table
                label={t.nav.documents}
                rows={documents}
                keyOf={({ id }) => id}
                empty={<Empty title={t.documents.empty}>{t.documents.emptyText}</Empty>}
                columns={[
                  {
                    name: t.documents.title,
                    cell: ({ id, title, name }) => (
                      <div className="min-w-36 wrap-anywhere">
                        <a
                          href={`${apiRoot}/api/documents/${id}/content`}
                          download={name}
                          className="font-medium hover:text-accent hover:underline"
                        >
                          {title}
                        </a>
                        {title !== name && <span className="block text-muted">{name}</span>}
                      </div>
                    ),
                  },
                  { name: t.common.status, cell: (document) => <Status document={document} /> },
                  { name: t.common.type, isSecondary: true, cell: ({ type }) => type },
                  {
                    name: t.documents.size,
                    isNumber: true,
                    isSecondary: true,
                    cell: ({ size_bytes }) => `${count(Math.ceil(size_bytes / 1024))} kB`,
                  },
                  {
                    name: t.documents.pages,
                    isNumber: true,
                    isSecondary: true,
                    cell: ({ pages }) => pages ?? '—',
                  },
                  {
                    name: t.common.created,
                    isSecondary: true,
                    cell: ({ created_at }) => <Time at={created_at} />,
                  },
                ]}
                buttons={(document) => (
                  <RowMenu label={t.common.actionsFor(document.title)} items={itemsOf(document)} />
                )}
              />
              <Pages total={total} limit={PAGE} />
            </>
          )}
        </Loaded>
      </Card>
      {extracted && <ExtractModal document={extracted} onClose={() => setExtracted(undefined)} />}
      {removed && (
        <Confirm
          title={t.documents.removeTitle(removed.title)}
          description={t.documents.removeText}
          confirm={t.documents.remove}
          open
          busy={removal.isPending}
          error={removal.error}
          onConfirm={() => removal.mutate(removed.id)}
          onClose={() => {
            setRemoved(undefined);
            removal.reset();
          }}
        />
      )}
    </Page>
  );
}

function reload(): void {
  void queries.invalidateQueries({ queryKey: ['documents'] });
}

function Status({ document }: { document: StoredDocument }) {
  return (
    <div>
      <Badge tone={TONES[document.status]}>
        {t.documents.statuses[document.status]}
        {document.status === 'processing' && ` ${document.progress} %`}
      </Badge>
      {document.error !== null && (
        <span className="mt-1 block max-w-56 text-xs break-words text-bad">{document.error}</span>
      )}
    </div>
  );
}

/** Sends a file and says how far it is, which fetch() can't tell. */
function send(file: File, onProgress: (percent: number) => void): Promise<UploadedDocumentResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${apiRoot}/api/documents/upload`);
    request.setRequestHeader('x-console', '1');
    request.setRequestHeader('idempotency-key', idempotencyKey()['Idempotency-Key']);
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(Math.floor((loaded * 100) / total)),
    );
    request.addEventListener('load', () => {
      if (request.status < 300) {
        resolve(request.response as UploadedDocumentResponse);
      } else {
        reject(new ApiError(request.status, request.response));
      }
    });
    request.addEventListener('error', () => reject(new ApiError(0, {})));
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
}

function Upload() {
  const input = useRef<HTMLInputElement>(null);
  const [percent, setPercent] = useState(0);
  const upload = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const stored = [];
      const failed = [];
      for (const file of files) {
        try {
          stored.push(await send(file, setPercent));
        } catch (error) {
          failed.push({ name: file.name, error });
        }
      }
      return { stored, failed };
    },
    onSettled: reload,
  });
  function drop(event: DragEvent): void {
    event.preventDefault();
    upload.mutate([...event.dataTransfer.files]);
  }
  return (
    <div
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
      className="flex flex-col items-center gap-3 rounded-2xl border-2 border-dashed border-line bg-surface px-6 py-8 text-center"
    >
      <p className="font-medium">{t.documents.drop}</p>
      <label
        className={`${buttonClass('primary')} has-focus-visible:outline-2 has-focus-visible:outline-accent`}
      >
        <input
          ref={input}
          type="file"
          multiple
          className="sr-only"
          onChange={(event) => {
            upload.mutate([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
        {t.documents.choose}
      </label>
      <p className="text-sm text-muted">{t.documents.price}</p>
      <div aria-live="polite" className="w-full max-w-md empty:hidden">
        {upload.isPending && (
          <progress
            className="w-full accent-(--fill)"
            max={100}
            value={percent}
            aria-label={t.documents.uploading(percent)}
          />
        )}
        {upload.data?.stored.some(({ data }) => data.deduplicated) === true && (
          <Note>{t.documents.deduplicated}</Note>
        )}
        {upload.data?.failed.map(({ name, error }) => (
          <div key={name} className="text-left">
            <p className="font-mono text-sm break-all">{name}</p>
            <ErrorNote error={error} />
          </div>
        ))}
      </div>
    </div>
  );
}
