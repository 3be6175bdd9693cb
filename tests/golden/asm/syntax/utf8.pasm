; the caret counts characters, not bytes
.error "äöü" 
.error "\n" x
inc 	 .error "→→→" ! done
done
