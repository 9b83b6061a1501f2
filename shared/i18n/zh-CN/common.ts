import type { common as en } from '../en/common.ts';
import type { Translation } from '../translation.ts';

export const common: Translation<typeof en> = {
  'app.name': 'CETP Inspector',
  'common.cancel': '取消',
  'common.close': '关闭',
  'common.copy': '复制',
  'common.copied': '已复制',
  'common.retry': '重试',
  'common.search': '搜索',
  'common.unknown': '未知',
  'common.none': '无',
  'common.yes': '是',
  'common.no': '否',
  'common.notDeclared': '未声明',
  'problem.unexpected': '检查器内部出错。',
  'remedy.unexpected': '请重试；若仍出现，请报告下面的文字。',
  'problem.discovery-failed': '无法列出此设备上的 Provider。',
  'remedy.discovery-failed': '请运行诊断；它会指出失败的步骤。',
  'problem.provider-gone': '此设备上已没有 Provider {provider}。',
  'remedy.provider-gone': '请重新查看 Provider 列表。',
  'problem.provider-unreachable': '从这里无法调用 {provider}。',
  'remedy.provider-unreachable': '请安装伴侣应用，或查看此 Provider 的“问题”。',
};
