/** Of the coordinator of a Citus whose role may make databases on all of its servers; it needs two workers. */
const citusUrl = process.env.CITUS_URL;

const withoutCitus = citusUrl
  ? []
  : [{ folder: '/test/operators/citus', needs: 'CITUS_URL, of a coordinator with two workers' }];

module.exports = { withoutCitus };
