/** Words that carry no part of a request: grammar, politeness and the talk around it. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any anyone are aren as at be because been before being below
  between both but by can cannot cant could couldn did didn do does doesn doing don down during each etc even every few
  for from further had hadn has hasn have haven having he hello help her here hers hey hi him his how however i if im in
  into is isn it its itself ive just kindly know let lets like ll looking lot made make me might more most much must my
  myself need needed needs no nor not now of off ok okay on once one only onto or other our ours out over own please
  possible provide provided really regarding s same shall she should shouldn so some someone something soon still such t
  tell than thank thanks that the their theirs them themselves then there these they thing things this those through to
  too under until up upon us use used using ve very via want wanted wants was wasn way we well were weren what whats when
  where whether which while who whom whose why will wish with within without won would wouldn you your yours yourself d m
  re able interested planning currently also specific given based assist curious wondering trying going finally firstly first additionally including include includes look think give www com org http https various
  `
    .split(/\s+/)
    .filter((word) => word !== ''),
)
