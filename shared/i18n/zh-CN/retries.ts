import type { retries as en } from '../en/retries.ts';
import type { Translation } from '../translation.ts';

export const retries: Translation<typeof en> = {
  // Our own refusals of a retry: nothing was sent
  'problem.retry-unknown-call': '本次运行的列表中已没有此调用。',
  'remedy.retry-unknown-call': '请用历史记录中的参数和 request_id 打开该工具并运行。',
  'problem.retry-under-way': '此 request_id 已有一次尝试在进行中。未发送任何内容。',
  'remedy.retry-under-way': '请等待其结束，或取消它。',
  'problem.retry-no-id': '此调用没有携带 request_id，因此无法据以再次查询。',
  'problem.retry-not-offered': 'Provider 不允许重试此应答（retryable 不为 true）。未发送任何内容。',
  'remedy.retry-not-offered': '可以有意再次发送，以查看其如何应答。',
  'problem.retry-too-early': 'Provider 要求等待，还剩 {ms} 毫秒。未发送任何内容。',
  'remedy.retry-too-early': '请等待，或有意再次发送，以查看其如何应答。',
  'problem.retry-window-over': '幂等窗口已过：Provider 可能已忘记此 request_id，调用可能重复执行。未发送任何内容。',
  'remedy.retry-window-over': '请先查看 Provider 自身的状态。若允许再次执行，可以有意再次发送。',
  // Why no attempt follows by itself
  'problem.retry-stopped': '您停止了自动重试。',
  'problem.retry-by-hand': '已手动再次发送。',
  'problem.retry-exhausted': '自动重试次数已用完。',
  'problem.retry-not-automatic': '这种结束从不自动重试：需要用户操作、其他参数，或先弄清发生了什么（v2 5）。',
  'problem.retry-wait-too-long': 'Provider 要求等待 {ms} 毫秒；超过 {limit} 毫秒的等待由用户决定。',
  'finding.repeat-outcome-differs':
    'request_id {requestId} 的第 {attempt} 次尝试以“{before}”结束，本次却以“{now}”结束。重复的 request_id 必须得到相同的最终结果。',
  // In the terminal
  'cli.retryWaits': '第 {attempt} 次尝试的应答为 {code}；{seconds} 秒后以相同的 request_id 重试。',
  'cli.retryStops': '不再重试：{reason}',
};
