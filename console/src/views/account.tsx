import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { answer, api, ApiError } from '../api/client';
import { change, forget, queries } from '../api/session';
import { t } from '../texts/texts';
import { Button } from '../ui/controls';
import { Badge, ErrorNote, Loaded } from '../ui/feedback';
import { Card, Facts, Page, Time } from '../ui/layout';
import { Confirm } from '../ui/overlays';
import { Table } from '../ui/table';
import { Password } from './sign-in';

export function Account() {
  const me = useQuery({
    queryKey: ['me'],
    queryFn: ({ signal }) => answer(api.GET('/api/auth/me', { signal })),
  });
  return (
    <Page title={t.nav.account} lead={t.account.lead}>
      <div className="grid gap-6 lg:grid-cols-2">
        <Card title={t.account.profile}>
          <Loaded query={me}>
            {(user) => (
              <Facts
                facts={[
                  [t.account.email, user.email],
                  [t.account.username, user.username],
                  [t.account.role, t.account.roles[user.role]],
                  [t.account.verified, user.is_email_verified ? t.common.yes : t.common.no],
                  [t.account.since, <Time key="s" at={user.created_at} day />],
                  [
                    t.account.id,
                    <code key="i" className="font-mono text-sm break-all">
                      {user.id}
                    </code>,
                  ],
                ]}
              />
            )}
          </Loaded>
          <p className="mt-4 text-sm text-muted">{t.account.toClose}</p>
        </Card>
        <ChangePassword />
      </div>
      <Sessions />
    </Page>
  );
}

function ChangePassword() {
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const changing = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/auth/change-password', { body: { current_password: current, new_password: next } }),
      ),
    // It has ended all sessions.
    onSuccess: () => forget('password'),
  });
  const error = changing.error instanceof ApiError ? changing.error : undefined;
  function submit(event: FormEvent): void {
    event.preventDefault();
    changing.mutate();
  }
  return (
    <Card title={t.account.change}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Password
          label={t.account.current}
          value={current}
          onChange={setCurrent}
          isNew={false}
          error={error?.of('current_password')}
        />
        <Password
          label={t.account.next}
          value={next}
          onChange={setNext}
          isNew
          error={error?.of('new_password')}
        />
        <ErrorNote error={changing.error} />
        <Button type="submit" look="primary" busy={changing.isPending} className="self-start">
          {t.account.change}
        </Button>
      </form>
    </Card>
  );
}

function Sessions() {
  const [isAsking, setAsking] = useState(false);
  const query = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => answer(api.GET('/api/console/sessions', { signal })),
  });
  const ending = useMutation({
    mutationFn: (id: string) =>
      change(() =>
        api.DELETE('/api/console/sessions/{session_id}', { params: { path: { session_id: id } } }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  });
  const everywhere = useMutation({
    mutationFn: () => change(() => api.POST('/api/auth/logout-everywhere')),
    onSuccess: () => forget(),
  });
  return (
    <Card
      title={t.account.sessions}
      isFlush
      actions={
        <Button small look="danger" onClick={() => setAsking(true)}>
          {t.account.everywhere}
        </Button>
      }
    >
      <ErrorNote error={ending.error} />
      <Loaded query={query}>
        {({ sessions }) => (
          <Table
            label={t.account.sessions}
            rows={sessions}
            keyOf={({ id }) => id}
            columns={[
              {
                name: t.account.browser,
                cell: ({ user_agent, is_current }) => (
                  <span className="flex flex-wrap items-center gap-2">
                    <span className="max-w-md break-words">{browserOf(user_agent)}</span>
                    {is_current && <Badge tone="good">{t.account.thisOne}</Badge>}
                  </span>
                ),
              },
              { name: t.common.created, cell: ({ created_at }) => <Time at={created_at} /> },
              { name: t.account.ends, isSecondary: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
            ]}
            buttons={({ id, is_current }) =>
              !is_current && (
                <Button
                  small
                  busy={ending.isPending && ending.variables === id}
                  onClick={() => ending.mutate(id)}
                >
                  {t.account.end}
                </Button>
              )
            }
          />
        )}
      </Loaded>
      <Confirm
        title={t.account.everywhereTitle}
        description={t.account.everywhereText}
        confirm={t.account.everywhere}
        open={isAsking}
        busy={everywhere.isPending}
        error={everywhere.error}
        onConfirm={() => everywhere.mutate()}
        onClose={() => setAsking(false)}
      />
    </Card>
  );
}

/** The browser and the system out of how it names itself, where both are known. */
function browserOf(agent: string): string {
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\/(\d+)/.exec(agent);
  const system = /Windows|Android|iPhone|iPad|Mac OS X|Linux|CrOS/.exec(agent);
  return browser && system ? `${browser[1]} ${browser[2]} · ${system[0]}` : agent;
}
