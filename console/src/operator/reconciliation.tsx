import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api } from '../api/client';
import { t } from '../texts/texts';
import { Button } from '../ui/controls';
import { Loaded, Note } from '../ui/feedback';
import { Card, count, Figure, Figures, Page, Time, Usd } from '../ui/layout';
import { Table } from '../ui/table';

export function Reconciliation() {
  const texts = t.operator.reconciliation;
  const query = useQuery({
    queryKey: ['operator', 'reconciliation'],
    queryFn: ({ signal }) => answer(api.GET('/api/admin/reconciliation', { signal })),
    // It reads every account: once, and again when somebody asks.
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  });
  return (
    <Page
      title={t.nav.reconciliation}
      lead={texts.lead}
      actions={
        <Button busy={query.isFetching} onClick={() => void query.refetch()}>
          {texts.again}
        </Button>
      }
    >
      <Loaded query={query}>
        {(result) => (
          <>
            {result.mismatches.length === 0 && result.difference_usd === 0 ? (
              <Note tone="good" title={texts.agree}>
                {texts.checked} <Time at={result.checked_at} seconds />
              </Note>
            ) : (
              <Note tone="bad" title={texts.disagree}>
                {texts.disagreeText}
              </Note>
            )}
            <Figures>
              <Figure
                label={texts.accounts}
                note={`${texts.reservations}: ${count(result.open_reservations)}`}
              >
                {count(result.accounts)}
              </Figure>
              <Figure label={texts.balances}>
                <Usd amount={result.balance_usd} />
              </Figure>
              <Figure label={texts.ledger}>
                <Usd amount={result.ledger_usd} />
              </Figure>
              <Figure label={texts.difference}>
                <Usd amount={result.difference_usd} isSigned />
              </Figure>
            </Figures>
            {result.mismatches.length > 0 && (
              <Card title={texts.mismatches} isFlush>
                <Table
                  label={texts.mismatches}
                  rows={result.mismatches}
                  keyOf={({ user_id }) => user_id}
                  columns={[
                    {
                      name: t.operator.accounts.account,
                      cell: ({ user_id }) => (
                        <Link
                          to="/operator/accounts/$id"
                          params={{ id: user_id }}
                          className="font-mono text-sm text-accent"
                        >
                          {user_id}
                        </Link>
                      ),
                    },
                    {
                      name: texts.balances,
                      isNumber: true,
                      cell: ({ balance_usd }) => <Usd amount={balance_usd} />,
                    },
                    {
                      name: texts.ledger,
                      isNumber: true,
                      cell: ({ ledger_usd }) => <Usd amount={ledger_usd} />,
                    },
                    {
                      name: texts.difference,
                      isNumber: true,
                      cell: ({ difference_usd }) => <Usd amount={difference_usd} isSigned />,
                    },
                  ]}
                />
              </Card>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}
