UPDATE run SET report = x'28b52ffd', id = 9223372036854775807		
