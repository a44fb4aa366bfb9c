import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AdminUpgradeRequest } from '../../../generated/types';
import { answer, api, idempotencyKey } from '../api/client';
import { change, queries } from '../api/session';
import { t } from '../texts/texts';
import { Button } from '../ui/controls';
import { Empty, Loaded } from '../ui/feedback';
import { ChoiceField, useFilters } from '../ui/filters';
import { Card, count, Page, Time } from '../ui/layout';
import { Confirm } from '../ui/overlays';
import { Pages, Table } from '../ui/table';
import { UpgradeBadge } from '../views/limits';

const PAGE = 25;
const STATES = ['pending', 'approved', 'rejected'] as const;

export function Upgrades() {
  const [{ offset = 0, status, user }] = useFilters();
  const state = STATES.find((known) => known === status);
  const [decision, setDecision] = useState<{ entry: AdminUpgradeRequest; isApproved: boolean }>();
  const query = useQuery({
    queryKey: ['operator', 'upgrades', state, user, offset],
    queryFn: ({ signal }) =>
      answer(
        api.GET('/api/admin/upgrade-requests', {
          params: { query: { limit: PAGE, offset, status: state, user_id: user } },
          signal,
        }),
      ),
  });
  const texts = t.operator.upgrades;
  return (
    <Page title={t.nav.upgrades} lead={texts.lead}>
      <Card
        title={t.nav.upgrades}
        isFlush
        actions={
          <div className="w-40">
            <ChoiceField label={t.common.status} name="status" choices={STATES} texts={t.limits.statuses} />
          </div>
        }
      >
        <Loaded query={query}>
          {({ upgrade_requests, total }) => (
            <>
              <Table
                label={t.nav.upgrades}
                rows={upgrade_requests}
                keyOf={({ request }) => request.id}
                empty={<Empty title={texts.empty}>{texts.emptyText}</Empty>}
                columns={[
                  {
                    name: t.common.when,
                    isSecondary: true,
                    cell: ({ request }) => <Time at={request.created_at} />,
                  },
                  {
                    name: texts.who,
                    cell: (entry) => (
                      <div className="max-w-sm min-w-0">
                        <Link
                          to="/operator/accounts/$id"
                          params={{ id: entry.user.id }}
                          className="font-medium break-all hover:text-accent hover:underline"
                        >
                          {entry.user.email}
                        </Link>
                        <span className="line-clamp-3 break-words text-muted">{entry.request.reason}</span>
                      </div>
                    ),
                  },
                  { name: texts.now, isSecondary: true, cell: (entry) => t.limits.tiers[entry.user.tier] },
                  { name: texts.wanted, cell: ({ request }) => t.limits.tiers[request.requested_tier] },
                  {
                    name: texts.estimate,
                    isNumber: true,
                    isSecondary: true,
                    cell: ({ request }) =>
                      request.estimated_requests_per_day === null
                        ? '—'
                        : count(request.estimated_requests_per_day),
                  },
                  { name: t.common.status, cell: ({ request }) => <UpgradeBadge status={request.status} /> },
                ]}
                buttons={(entry) =>
                  entry.request.status === 'pending' && (
                    <span className="flex justify-end gap-2">
                      <Button small look="primary" onClick={() => setDecision({ entry, isApproved: true })}>
                        {texts.approve}
                      </Button>
                      <Button small onClick={() => setDecision({ entry, isApproved: false })}>
                        {texts.reject}
                      </Button>
                    </span>
                  )
                }
              />
              <Pages total={total} limit={PAGE} />
            </>
          )}
        </Loaded>
      </Card>
      {decision && <Decide {...decision} onClose={() => setDecision(undefined)} />}
    </Page>
  );
}

function Decide({
  entry,
  isApproved,
  onClose,
}: {
  entry: AdminUpgradeRequest;
  isApproved: boolean;
  onClose: () => void;
}) {
  const texts = t.operator.upgrades;
  const [header] = useState(idempotencyKey);
  const params = { path: { upgrade_request_id: entry.request.id }, header };
  const deciding = useMutation({
    mutationFn: (note: string) =>
      change(() =>
        isApproved
          ? api.POST('/api/admin/upgrade-requests/{upgrade_request_id}/approve', { params, body: { note } })
          : api.POST('/api/admin/upgrade-requests/{upgrade_request_id}/reject', { params, body: { note } }),
      ),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['operator'] });
      onClose();
    },
  });
  const { email } = entry.user;
  return (
    <Confirm
      title={
        isApproved
          ? texts.approveTitle(email, t.limits.tiers[entry.request.requested_tier])
          : texts.rejectTitle(email)
      }
      description={isApproved ? texts.approveText : texts.rejectText}
      confirm={isApproved ? texts.approve : texts.reject}
      reasonLabel={texts.note}
      isDanger={!isApproved}
      open
      busy={deciding.isPending}
      error={deciding.error}
      onConfirm={(note) => deciding.mutate(note)}
      onClose={onClose}
    />
  );
}
