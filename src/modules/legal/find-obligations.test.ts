import { splitSentences } from '../../text/split-sentences';
import { obligationsIn } from './obligations';

const PARTIES = [
  { name: 'Acme Ltd', role: 'Supplier', aliases: ['Supplier'], start: 0, end: 8 },
  { name: 'Blue GmbH', role: null, aliases: ['Blue'], start: 0, end: 9 },
];

function told(text: string) {
  return obligationsIn(text, splitSentences(text), PARTIES).map(({ party, obligation, deadline }) => [
    ...[party, obligation, deadline],
  ]);
}

describe('obligationsIn', () => {
  it('takes "we" for a party where none is named', () => {
    const text = 'We shall refund the price within 14 days. We will be glad to hear from you.';
    expect(
      obligationsIn(text, splitSentences(text), []).map(({ party, deadline }) => [party, deadline]),
    ).toEqual([['We', 'within 14 days']]);
  });

  it.each<[string, unknown]>([
    [
      'The Supplier shall deliver the goods by 5 May 2027, and Blue must pay within ten (10) business days of receipt.',
      [
        ['Supplier', 'The Supplier shall deliver the goods by 5 May 2027', 'by 5 May 2027'],
        [
          'Blue',
          'Blue must pay within ten (10) business days of receipt.',
          'within ten (10) business days of receipt',
        ],
      ],
    ],
    [
      'Acme Ltd agrees to inform Blue without delay.',
      [['Supplier', 'Acme Ltd agrees to inform Blue without delay.', 'without delay']],
    ],
    [
      'Invoices shall be paid on the last day of each month.',
      [[null, 'Invoices shall be paid on the last day of each month.', 'on the last day of each month']],
    ],
    [
      'The deposit of $2,000 will be returned within 14 days.',
      [[null, 'The deposit of $2,000 will be returned within 14 days.', 'within 14 days']],
    ],
    ['Fees will not be refunded.', [[null, 'Fees will not be refunded.', null]]],
    ['The weather will be nice.', []],
    [
      'Neither party may not sell the data.',
      [['Neither party', 'Neither party may not sell the data.', null]],
    ],
    [
      'Neither Party may solicit the staff.',
      [['Neither Party', 'Neither Party may solicit the staff.', null]],
    ],
    [
      'You must keep your password secret, and you may not share it.',
      [
        ['You', 'You must keep your password secret', null],
        ['you', 'you may not share it.', null],
      ],
    ],
    ['You will love it, and you may cancel.', []],
    ['No party may assign its rights.', [['No party', 'No party may assign its rights.', null]]],
    ['Each party may inspect the books.', []],
    [
      'The suppliers shall answer in May, and the tenants must pay.',
      [
        ['Supplier', 'The suppliers shall answer in May', null],
        ['tenants', 'the tenants must pay.', null],
      ],
    ],
    ['The Supplier shall be entitled to stop the work.', []],
    ['This Agreement shall be governed by English law. The term shall begin on 1 May 2027.', []],
    ['The obligations of the Supplier shall survive.', []],
    ['It will rain tomorrow, and we must go.', []],
  ])('reads %j', (text, obligations) => {
    expect(told(text)).toEqual(obligations);
  });
});
