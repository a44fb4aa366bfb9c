import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import type { AccountLimits, OwnUpgradeRequestList, UpgradeRequest } from '../../../generated/types';
import { answer, api, ApiError, idempotencyKey } from '../api/client';
import { change, queries } from '../api/session';
import { t } from '../texts/texts';
import { Button, SelectField, TextArea, TextField } from '../ui/controls';
import { Badge, Empty, ErrorNote, Loaded, Note, type Tone } from '../ui/feedback';
import { Card, count, Page, Time } from '../ui/layout';
import { Table } from '../ui/table';

interface Rates {
  requests_per_second: number | null;
  requests_per_minute: number | null;
  requests_per_hour: number | null;
  requests_per_day: number | null;
}

export const WINDOWS = [
  ['requests_per_second', t.limits.second],
  ['requests_per_minute', t.limits.minute],
  ['requests_per_hour', t.limits.hour],
  ['requests_per_day', t.limits.day],
] as const;

export const rateOf = (rate: number | null) => (rate === null ? t.limits.any : count(rate));

export function Limits() {
  const query = useQuery({
    queryKey: ['limits'],
    queryFn: ({ signal }) => answer(api.GET('/api/account/limits', { signal })),
  });
  return (
    <Page title={t.nav.limits} lead={t.limits.lead}>
      <Loaded query={query}>{(limits) => <Rates limits={limits} />}</Loaded>
      <div className="grid gap-6 lg:grid-cols-2">
        {query.data && <Ask present={query.data.tier} />}
        <Asked />
      </div>
    </Page>
  );
}

function Rates({ limits }: { limits: AccountLimits }) {
  const kinds: { name: string; rates: Rates }[] = [
    ...limits.categories.map((category) => ({
      name: t.limits.categories[category.category],
      rates: category,
    })),
    { name: t.limits.console, rates: limits.console },
  ];
  return (
    <Card title={t.limits.tier} actions={<Badge>{t.limits.tiers[limits.tier]}</Badge>} isFlush>
      <RateTable kinds={kinds} />
      <p className="border-t border-line px-5 py-3 text-sm text-muted">{t.limits.consoleText}</p>
    </Card>
  );
}

export function RateTable({ kinds }: { kinds: readonly { name: string; rates: Rates }[] }) {
  return (
    <Table
      label={t.nav.limits}
      rows={kinds}
      keyOf={({ name }) => name}
      columns={[
        { name: t.limits.kind, cell: ({ name }) => name },
        ...WINDOWS.map(([window, text]) => ({
          name: text,
          isNumber: true,
          cell: ({ rates }: { rates: Rates }) => rateOf(rates[window]),
        })),
      ]}
    />
  );
}

type Tier = AccountLimits['tier'];
const TIERS: readonly UpgradeRequest['requested_tier'][] = ['basic', 'pro', 'enterprise'];

/** A form that asks for a tier above the present one. */
function Ask({ present }: { present: Tier }) {
  const tiers = TIERS.slice(TIERS.findIndex((tier) => tier === present) + 1);
  const [chosen, setChosen] = useState<Tier>();
  const tier = tiers.find((known) => known === chosen) ?? tiers[0] ?? 'enterprise';
  const [reason, setReason] = useState('');
  const [estimate, setEstimate] = useState('');
  const [header, setHeader] = useState(idempotencyKey);
  const asking = useMutation({
    mutationFn: () =>
      change(() =>
        api.POST('/api/support/upgrade-request', {
          params: { header },
          body: {
            requested_tier: tier,
            reason: reason.trim(),
            ...(estimate !== '' && { estimated_requests_per_day: Number(estimate) }),
          },
        }),
      ),
    onSuccess: () => {
      setHeader(idempotencyKey());
      setReason('');
      void queries.invalidateQueries({ queryKey: ASKED });
    },
  });
  const isUndecided = useAsked().data?.upgrade_requests.some(isWaiting) ?? false;
  const error = asking.error instanceof ApiError ? asking.error : undefined;
  function submit(event: FormEvent): void {
    event.preventDefault();
    asking.mutate();
  }
  if (tiers.length === 0) {
    return null;
  }
  return (
    <Card title={t.limits.upgrade}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <SelectField
          label={t.limits.upgradeTier}
          value={tier}
          options={tiers.map((value) => ({ value, text: t.limits.tiers[value] }))}
          onChange={(event) => setChosen(tiers.find((known) => known === event.target.value))}
        />
        <TextArea
          label={t.limits.reason}
          error={error?.of('reason')}
          required
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <TextField
          label={t.limits.estimate}
          optional
          type="number"
          min={1}
          value={estimate}
          onChange={(event) => setEstimate(event.target.value)}
        />
        <ErrorNote error={asking.error} />
        <div aria-live="polite" className="empty:hidden">
          {asking.isSuccess && isUndecided && <Note tone="good">{t.limits.sent}</Note>}
        </div>
        <Button type="submit" look="primary" busy={asking.isPending} className="self-start">
          {t.limits.send}
        </Button>
      </form>
    </Card>
  );
}

const TONES: Record<UpgradeRequest['status'], Tone> = {
  pending: 'accent',
  approved: 'good',
  rejected: 'bad',
};

export function UpgradeBadge({ status }: { status: UpgradeRequest['status'] }) {
  return <Badge tone={TONES[status]}>{t.limits.statuses[status]}</Badge>;
}

const ASKED = ['own-upgrades'];
const isWaiting = ({ status }: UpgradeRequest) => status === 'pending';

/** The requests of the account. Where one was decided since, its rates are others. */
async function readAsked(signal: AbortSignal): Promise<OwnUpgradeRequestList> {
  const before = queries.getQueryData<OwnUpgradeRequestList>(ASKED);
  const asked = await answer(api.GET('/api/support/upgrade-requests', { signal }));
  if (before?.upgrade_requests.some(isWaiting) && !asked.upgrade_requests.some(isWaiting)) {
    void queries.invalidateQueries({ queryKey: ['limits'] });
  }
  return asked;
}

function useAsked() {
  return useQuery({
    queryKey: ASKED,
    queryFn: ({ signal }) => readAsked(signal),
    // Whoever asked waits for the operator's word.
    refetchInterval: ({ state: { data } }) => (data?.upgrade_requests.some(isWaiting) ? 10_000 : false),
  });
}

function Asked() {
  const query = useAsked();
  return (
    <Card title={t.limits.requests} isFlush>
      <Loaded query={query}>
        {({ upgrade_requests }) => (
          <Table
            label={t.limits.requests}
            rows={upgrade_requests}
            keyOf={({ id }) => id}
            empty={<Empty title={t.limits.noRequests}>{t.limits.noRequestsText}</Empty>}
            columns={[
              { name: t.common.when, cell: ({ created_at }) => <Time at={created_at} day /> },
              { name: t.limits.tier, cell: ({ requested_tier }) => t.limits.tiers[requested_tier] },
              { name: t.common.status, cell: ({ status }) => <UpgradeBadge status={status} /> },
              {
                name: t.limits.reason,
                isSecondary: true,
                cell: ({ reason }) => <span className="line-clamp-2 break-words">{reason}</span>,
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}
