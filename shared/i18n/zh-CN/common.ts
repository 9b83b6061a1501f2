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
  'remedy.unexpected': '请重试;若仍出现,请报告下面的文字。',
};
