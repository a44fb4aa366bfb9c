import { documentSkeleton } from './document-skeleton';

function minutes(brief: string) {
  const order = { kind: 'meeting_minutes', brief, audience: null, tone: 'neutral' } as const;
  return documentSkeleton(order);
}

describe('documentSkeleton', () => {
  it('fills the header with what the brief says there, and says it nowhere else', () => {
    const { title, sections } = minutes(
      'Present: Ana, Bo, Chi. We decided to drop the old site. Next time in June.',
    );
    expect(title).toBe('Meeting minutes: We decided to drop the old site');
    expect(sections).toEqual([
      { heading: 'Header', text: 'Date and place: [Date and place]\nPresent: Ana, Bo, Chi' },
      { heading: 'Discussed', text: 'Next time in June.' },
      { heading: 'Decisions', text: 'We decided to drop the old site.' },
      { heading: 'Actions', text: '[Who does what until when]' },
    ]);
  });

  it('has a title where the brief says nothing but the header', () => {
    expect(minutes('Present: Ana.').title).toBe('Meeting minutes: Present: Ana');
  });
});
