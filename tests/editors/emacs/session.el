;; Opens a file with Eglot and writes what the language server answered as JSON.
;; Environment: TERRANE_LSP (command, separated by newlines), TERRANE_ROOT, TERRANE_OUT.
(require 'eglot)
(require 'json)

(define-derived-mode terrane-test-mode prog-mode "Terraform")
(add-to-list 'auto-mode-alist '("\\.tf\\'" . terrane-test-mode))
(add-to-list 'eglot-server-programs
             `(terrane-test-mode . ,(split-string (getenv "TERRANE_LSP") "\n")))
(setq eglot-sync-connect 120 eglot-autoshutdown t)

(defun terrane-test-wait (condition)
  (let ((deadline (+ (float-time) 120)))
    (while (and (not (funcall condition)) (< (float-time) deadline))
      (accept-process-output nil 0.05))))

(let* ((root (getenv "TERRANE_ROOT"))
       (position (json-read-from-string (getenv "TERRANE_POSITIONS")))
       (default-directory root)
       result)
  (cl-letf (((symbol-function 'project-current)
             (lambda (&rest _) (cons 'transient root))))
    (find-file (expand-file-name "main.tf" root))
    (eglot--connect '(terrane-test-mode) (cons 'transient root) 'eglot-lsp-server
                    (split-string (getenv "TERRANE_LSP") "\n") "terraform")
    (eglot--maybe-activate-editing-mode)
    (let* ((server (eglot-current-server))
           (document (eglot--TextDocumentIdentifier))
           (at (lambda (name)
                 (let ((entry (alist-get name position)))
                   (list :line (alist-get 'line entry) :character (alist-get 'character entry)))))
           (request (lambda (method &rest parameters)
                      (jsonrpc-request server method
                                       (append (list :textDocument document) parameters)
                                       :timeout 120))))
      (terrane-test-wait (lambda () (flymake-diagnostics)))
      (push (cons 'diagnostics
                  (vconcat (mapcar (lambda (each) (list (cons 'message (flymake-diagnostic-text each))))
                                   (flymake-diagnostics))))
            result)
      (push (cons 'hover (plist-get (plist-get (funcall request :textDocument/hover
                                                        :position (funcall at 'hover))
                                               :contents)
                                    :value))
            result)
      (push (cons 'completion
                  (vconcat (mapcar (lambda (item) (plist-get item :label))
                                   (plist-get (funcall request :textDocument/completion
                                                       :position (funcall at 'completion))
                                              :items))))
            result)
      (eglot-format-buffer)
      (push (cons 'text (buffer-substring-no-properties (point-min) (point-max))) result)))
  (with-temp-file (getenv "TERRANE_OUT")
    (insert (json-encode result))))
(kill-emacs 0)
