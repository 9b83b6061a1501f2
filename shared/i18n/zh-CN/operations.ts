import type { operations as en } from '../en/operations.ts';
import type { Translation } from '../translation.ts';

export const operations: Translation<typeof en> = {
  'finding.cancel-state-unexpected': '取消请求应以 cancellation_requested 确认；应答为：{actual}。',
  'problem.operation-picked-up': '已从日志中接续；其设备就绪后会继续查询。',
  'remedy.operation-picked-up': '请连接设备，或立即查询。',
  'problem.operation-not-followed': '已不再查询此操作。',
  'remedy.operation-not-followed': '“继续”会以该次执行的 request_id 再次查询。',
  'problem.operation-followed-elsewhere': '本机上的另一个检查器正在查询此操作（进程 {process}）。',
  'remedy.operation-followed-elsewhere': '两者同时查询会快于 Provider 要求的间隔。“继续”会从另一个检查器接管。',
  'problem.operation-query-cut-off': '未记录结束：查询期间应用已退出。',
  'problem.operation-reading-not-kept': '应答在日志中；其解读未保留。',
  'problem.operation-ended': '操作已结束（{state}）；未发送取消请求。',
  'problem.operations-not-negotiated': '会话未协商 async_operations，因此无法查询其状态。',
  'remedy.operations-not-negotiated': '请重新协商；Provider 必须提供该能力。',
  'problem.session-renegotiated': '已被新的协商取代。',
  'problem.session-end-not-recorded': '未记录其如何结束：应用先行退出，或由另一个检查器持有。',
  'problem.session-reading-not-kept': '应答在日志中；其解读未保留。',
  'finding.capabilities-changed': '同样的提议得到了与之前不同的能力：之前为 {before}，现在为 {now}。',
  'problem.session-dropped': '会话由人手动结束；未发送任何内容。',
  'remedy.session-dropped': '请重新协商以继续；不会自动进行。',
};
