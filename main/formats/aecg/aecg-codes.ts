// Codes of aECG that both directions use.

/** MDC's code of a lead that is none of those with a code; its name then stands beside it. */
export const UNSPECIFIED_LEAD = 'MDC_ECG_LEAD_CONFIG';
