import type { results as en } from '../en/results.ts';
import type { Translation } from '../translation.ts';

export const results: Translation<typeof en> = {
  'problem.result-file-gone': '本机已不再保留该结果的内容。',
  'remedy.result-file-gone': '结果在数天后，或占用空间过多时会被删除。请重新执行调用。',
  'problem.result-file-interrupted': '读取文件期间应用已结束，因此只收到了一部分。',
  'remedy.result-file-interrupted': '请重新执行调用以读取完整文件。',
};
