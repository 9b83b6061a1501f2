import type { uiHistory as en } from '../en/ui-history.ts';
import type { Translation } from '../translation.ts';

export const uiHistory: Translation<typeof en> = {
  'uiHistory.count': '{total} 次交换',
  'uiHistory.search': '搜索工具、方法、Provider、request_id、内容',
  'uiHistory.failed': '无法读取历史',
  'uiHistory.empty': '还没有任何交换',
  'uiHistory.emptyHelp': '与设备的每次交换都会在发生时写入这里,崩溃后仍会保留。',
  'uiHistory.noMatch': '没有匹配项',
  'uiHistory.detail': '交换的事件',
  'uiHistory.openHelp': '没有记录到结束:仍在进行,或应用在此期间被终止。',
  'uiHistory.redactions': '{count} 处已遮蔽',
  'uiHistory.kind.request': '请求',
  'uiHistory.kind.response': '应答',
  'uiHistory.kind.failure': '失败',
  'uiHistory.kind.cancel': '取消',
  'uiHistory.kind.notice': '通知',
  'uiHistory.state.open': '尚未结束',
  'uiHistory.state.success': '成功',
  'uiHistory.state.accepted': '已受理',
  'uiHistory.state.provider-error': 'Provider 报错',
  'uiHistory.state.malformed': '格式错误',
  'uiHistory.state.transport-failure': '没有应答',
  'uiHistory.state.cancelled': '已取消',
  'uiHistory.state.refused': '被本机拒绝',
  'uiHistory.state.notice': '通知',
};
