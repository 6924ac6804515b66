-- Opens a file with the language server and writes what it answered as JSON.
-- Environment: TERRANE_LSP (command, separated by newlines), TERRANE_ROOT, TERRANE_OUT.
local root = vim.env.TERRANE_ROOT
local result = {}

local function finish()
  local file = io.open(vim.env.TERRANE_OUT, 'w')
  file:write(vim.fn.json_encode(result))
  file:close()
  vim.cmd('qall!')
end

local client = vim.lsp.start_client({
  name = 'terrane',
  cmd = vim.split(vim.env.TERRANE_LSP, '\n'),
  root_dir = root,
})
vim.cmd('edit ' .. root .. '/main.tf')
local buffer = vim.api.nvim_get_current_buf()
vim.bo[buffer].filetype = 'terraform'
vim.lsp.buf_attach_client(buffer, client)

local function request(method, params)
  params.textDocument = vim.lsp.util.make_text_document_params(buffer)
  local answers = vim.lsp.buf_request_sync(buffer, method, params, 120000)
  local answer = answers and answers[client]
  return answer and (answer.result or answer.error)
end

local function contents(answer)
  return answer and answer.contents and answer.contents.value
end

local ok, problem = pcall(function()
  vim.wait(120000, function()
    return vim.lsp.buf_is_attached(buffer, client) and #vim.diagnostic.get(buffer) > 0
  end, 20)
  result.diagnostics = vim.tbl_map(function(each)
    return { line = each.lnum, message = each.message }
  end, vim.diagnostic.get(buffer))
  local position = vim.fn.json_decode(vim.env.TERRANE_POSITIONS)
  result.hover = contents(request('textDocument/hover', { position = position.hover }))
  local items = request('textDocument/completion', { position = position.completion })
  result.completion = vim.tbl_map(function(item)
    return item.label
  end, items.items or items)
  result.definition = request('textDocument/definition', { position = position.hover })
  local edits = request('textDocument/formatting', {
    options = { tabSize = 2, insertSpaces = true },
  })
  vim.lsp.util.apply_text_edits(edits, buffer, 'utf-16')
  result.text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n')
end)
if not ok then
  result.problem = tostring(problem)
end
finish()
