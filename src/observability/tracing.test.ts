import { readTraceParent } from './tracing';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('readTraceParent', () => {
  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['the version ff', `ff-${TRACE}-${SPAN}-01`],
    ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['more than version 00 has', `00-${TRACE}-${SPAN}-01-what`],
    ['a later version that goes on without a dash', `01-${TRACE}-${SPAN}-01what`],
    ['too few digits', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['text around it', ` 00-${TRACE}-${SPAN}-01`],
    ['two headers as one', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ])('takes %s for none', (_, header) => {
    expect(readTraceParent(header)).toBeNull();
  });

  it('reads both ids, and whether the caller records the trace', () => {
    expect(readTraceParent(`00-${TRACE}-${SPAN}-01`)).toEqual({
      traceId: TRACE,
      spanId: SPAN,
      isSampled: true,
    });
    expect(readTraceParent(`00-${TRACE}-${SPAN}-02`)?.isSampled).toBe(false);
    expect(readTraceParent(`cc-${TRACE}-${SPAN}-01-what`)?.traceId).toBe(TRACE);
  });
});
