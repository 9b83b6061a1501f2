import type { history as en } from '../en/history.ts';
import type { Translation } from '../translation.ts';

export const history: Translation<typeof en> = {
  // The journal's file
  'problem.journal-newer':
    '日志 {file} 由更新版本的应用写入（模式版本 {version}，当前支持 {supported}）。文件保持原样。',
  'remedy.journal-newer': '请使用较新版本，或用 --journal 指定其他文件。',
  'problem.journal-foreign': '{file} 是其他程序的数据库。文件保持原样。',
  'remedy.journal-foreign': '请用 --journal 指定其他文件。',
  'problem.journal-cannot-open': '无法打开日志 {file}。',
  'remedy.journal-cannot-open': '请检查文件夹是否存在、可写且有剩余空间，或用 --journal 指定其他文件。',
  'problem.journal-damaged': '日志 {file} 已损坏。已将其移至 {movedTo}，并新建了日志。',
  'remedy.journal-damaged': '如需其中的历史，请保留移走的文件；其内容未被更改。',
  'problem.journal-write-failed': '无法写入日志 {file}，因此调用未发送或其结果未被记录。',
  'remedy.journal-write-failed': '请检查磁盘剩余空间以及文件是否可写。',
  'problem.journal-read-failed': '无法读取日志 {file}。',
  'remedy.journal-read-failed': '请检查文件是否仍然存在且可读。',
};
