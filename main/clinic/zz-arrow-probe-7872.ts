export * from '../../shared/bridge/contract.ts';
